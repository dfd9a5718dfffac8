/* What makes no sense is answered by 0 and null. */
#include <stdio.h>
#include <toscac-c/toscac.h>

static int failures;

static void expect(int holds, const char *what) {
  if (holds)
    return;
  printf("not so: %s\n", what);
  ++failures;
}
#define EXPECT(condition) expect(condition, #condition)

int main(int argc, char **argv) {
  if (argc != 2)
    return 64;
  size_t count = 1;
  EXPECT(toscac_result_code(0) == TOSCAC_FAILED);
  EXPECT(!toscac_result_plan(0) && !toscac_result_failure(0));
  EXPECT(toscac_result_diagnostic_count(0) == 0);
  EXPECT(!toscac_result_diagnostic(0, 0));
  EXPECT(!toscac_diagnostic_name(0) && !toscac_diagnostic_note(0, 0));
  EXPECT(!toscac_diagnostic_fix(0, 0) && !toscac_fix_text(0));
  EXPECT(toscac_plan_step_count(0) == 0 && !toscac_plan_json(0, &count));
  EXPECT(count == 0);
  EXPECT(!toscac_plan_step_name(0, 0) && !toscac_plan_step_entity(0, 0));
  toscac_result_free(0);
  toscac_options_free(0);

  toscac_options *options = toscac_options_new();
  EXPECT(toscac_options_add(options, "--workflow", "deploy"));
  EXPECT(toscac_options_add(options, "--verify", 0));
  EXPECT(!toscac_options_add(options, "--verify", "yes"));
  EXPECT(!toscac_options_add(options, "--workflow", 0));
  EXPECT(!toscac_options_add(options, "--no-such", "x"));
  EXPECT(!toscac_options_add(options, "--language", "latin"));
  EXPECT(toscac_options_add(options, "--language", "tosca"));
  EXPECT(!toscac_options_add(0, "--workflow", "deploy"));

  toscac_result *good = toscac_compile(argv[1], options);
  const toscac_plan *plan = toscac_result_plan(good);
  size_t steps = toscac_plan_step_count(plan);
  EXPECT(toscac_result_code(good) == TOSCAC_GOOD && steps > 0);
  EXPECT(!toscac_result_failure(good));
  EXPECT(!toscac_plan_step_name(plan, steps));
  EXPECT(!toscac_plan_step_deps(plan, steps, &count) && count == 0);
  EXPECT(toscac_plan_step_after_failure(plan, 0) == TOSCAC_NONE);
  EXPECT(!toscac_plan_entity_name(plan, toscac_plan_entity_count(plan)));
  toscac_result_free(good);
  toscac_options_free(options);

  toscac_result *none = toscac_compile(0, 0);
  EXPECT(toscac_result_code(none) == TOSCAC_FILE && !toscac_result_plan(none));
  toscac_result_free(none);
  none = toscac_read_plan(argv[1]);
  EXPECT(toscac_result_code(none) == TOSCAC_INVALID);
  EXPECT(toscac_result_diagnostic_count(none) == 1);
  toscac_result_free(none);
  none = toscac_check(0, 0, 0);
  EXPECT(toscac_result_code(none) == TOSCAC_GOOD);
  toscac_result_free(none);
  printf("%d failures\n", failures);
  return failures != 0;
}
