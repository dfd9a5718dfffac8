/* Prints the calls of a service's plan, or what is wrong with it. */
#include <stdio.h>
#include <toscac-c/toscac.h>

int main(int argc, char **argv) {
  if (argc != 2)
    return 64;
  toscac_options *options = toscac_options_new();
  toscac_options_add(options, "-W", "error");
  toscac_result *result = toscac_compile(argv[1], options);
  toscac_options_free(options);
  for (size_t i = 0; i < toscac_result_diagnostic_count(result); ++i) {
    const toscac_diagnostic *problem = toscac_result_diagnostic(result, i);
    printf("%u:%u: %s\n", toscac_diagnostic_line(problem),
           toscac_diagnostic_column(problem),
           toscac_diagnostic_message(problem));
  }
  const toscac_plan *plan = toscac_result_plan(result);
  for (size_t i = 0; i < toscac_plan_step_count(plan); ++i)
    if (toscac_plan_step_kind(plan, i) == TOSCAC_CALL)
      printf("%s\n", toscac_plan_step_name(plan, i));
  int code = toscac_result_code(result);
  toscac_result_free(result);
  return code;
}
