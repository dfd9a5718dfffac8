/*===- toscac-c/toscac.h - The compiler for programs in any language ------===*\
|*
|* Checks templates, compiles them and reads plans, inside the caller's process.
|*
|* Everything is behind opaque handles; nothing here changes its meaning, and
|* functions are only added. Texts are UTF-8, end with a zero, and live as long
|* as the handle that they were asked of. Asking a null handle, or for an index
|* that is not there, gives 0 or null.
|*
|* Nothing prints, exits, aborts or throws, and no thread is left behind. A
|* handle is used by one thread at a time; different handles by any number of
|* threads, however small their stacks are.
|*
\*===----------------------------------------------------------------------===*/

#ifndef TOSCAC_C_TOSCAC_H
#define TOSCAC_C_TOSCAC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct toscac_options toscac_options;
typedef struct toscac_result toscac_result;
typedef struct toscac_diagnostic toscac_diagnostic;
typedef struct toscac_fix toscac_fix;
typedef struct toscac_plan toscac_plan;

/** Codes of results: those that toscac exits with. */
#define TOSCAC_GOOD 0
#define TOSCAC_INVALID 1     /**< The input is not valid. */
#define TOSCAC_UNPLANNABLE 2 /**< It is valid, but cannot be planned. */
#define TOSCAC_FILE 3        /**< A file cannot be read. */
#define TOSCAC_USAGE 64      /**< An option has no such value. */
#define TOSCAC_FAILED 70     /**< See toscac_result_failure(). */

/** How grave a diagnostic is. */
#define TOSCAC_NOTE 0
#define TOSCAC_WARNING 1
#define TOSCAC_ERROR 2

/** What a step does. */
#define TOSCAC_CALL 0 /**< It runs handlers. */
#define TOSCAC_SET 1  /**< It only writes cells. */
#define TOSCAC_JOIN 2 /**< It only waits. */

/** No step. */
#define TOSCAC_NONE UINT32_MAX

/** The version of the library, `0.1.0`. */
const char *toscac_version(void);

/** Options with their defaults; null if there is no memory. */
toscac_options *toscac_options_new(void);
void toscac_options_free(toscac_options *options);

/**
 * Adds an option as the command line has it: `("--workflow", "scale")`,
 * `("--input", "sites=3")`, `("-I", "types")`, `("-W", "error")`; options that
 * are a flag, `--verify`, have the value null. Returns 0 if there is none of
 * that name for programs, or it wants no such value, else 1.
 */
int toscac_options_add(toscac_options *options, const char *name,
                       const char *value);

/**
 * As `toscac --check` does with files and folders. Options may be null. Null
 * only if there is no memory for a result.
 */
toscac_result *toscac_check(const char *const *files, size_t count,
                            const toscac_options *options);

/** Compiles a file to a plan. */
toscac_result *toscac_compile(const char *file, const toscac_options *options);

/** Reads a plan that was written to a file. */
toscac_result *toscac_read_plan(const char *file);

/** Frees a result with all that was asked of it. */
void toscac_result_free(toscac_result *result);

int toscac_result_code(const toscac_result *result);

/**
 * What went wrong beside the input, where the code is TOSCAC_FAILED: there was
 * no memory, or the compiler has a bug; else null.
 */
const char *toscac_result_failure(const toscac_result *result);

/** The plan; null if there is none. It belongs to the result. */
const toscac_plan *toscac_result_plan(const toscac_result *result);

/** What there is to say, in the order of showing. */
size_t toscac_result_diagnostic_count(const toscac_result *result);
const toscac_diagnostic *toscac_result_diagnostic(const toscac_result *result,
                                                  size_t index);

int toscac_diagnostic_severity(const toscac_diagnostic *diagnostic);
/** Its name, `unknown-keyname`; null for notes. */
const char *toscac_diagnostic_name(const toscac_diagnostic *diagnostic);
const char *toscac_diagnostic_message(const toscac_diagnostic *diagnostic);
/** The file; null where it belongs to no place. */
const char *toscac_diagnostic_file(const toscac_diagnostic *diagnostic);
/** Lines and columns count from 1; 0 where there is no place. */
uint32_t toscac_diagnostic_line(const toscac_diagnostic *diagnostic);
uint32_t toscac_diagnostic_column(const toscac_diagnostic *diagnostic);
uint32_t toscac_diagnostic_end_line(const toscac_diagnostic *diagnostic);
uint32_t toscac_diagnostic_end_column(const toscac_diagnostic *diagnostic);

/** Other places that it speaks of. */
size_t toscac_diagnostic_note_count(const toscac_diagnostic *diagnostic);
const toscac_diagnostic *
toscac_diagnostic_note(const toscac_diagnostic *diagnostic, size_t index);

/** Corrections: the text from line and column to the end becomes another. */
size_t toscac_diagnostic_fix_count(const toscac_diagnostic *diagnostic);
const toscac_fix *toscac_diagnostic_fix(const toscac_diagnostic *diagnostic,
                                        size_t index);
const char *toscac_fix_text(const toscac_fix *fix);
uint32_t toscac_fix_line(const toscac_fix *fix);
uint32_t toscac_fix_column(const toscac_fix *fix);
uint32_t toscac_fix_end_line(const toscac_fix *fix);
uint32_t toscac_fix_end_column(const toscac_fix *fix);
/** Whether nothing else can have been meant. */
int toscac_fix_is_safe(const toscac_fix *fix);

/** The plan as plan.json has it; its length goes to `length`, if not null. */
const char *toscac_plan_json(const toscac_plan *plan, size_t *length);
const char *toscac_plan_service(const toscac_plan *plan);
const char *toscac_plan_deployment(const toscac_plan *plan);
const char *toscac_plan_workflow(const toscac_plan *plan);

/** Nodes and relationships, `site[2]`. */
size_t toscac_plan_entity_count(const toscac_plan *plan);
const char *toscac_plan_entity_name(const toscac_plan *plan, size_t index);

/** Steps in an order that respects all dependencies, failure steps last. */
size_t toscac_plan_step_count(const toscac_plan *plan);
/** `site[2].standard.start` */
const char *toscac_plan_step_name(const toscac_plan *plan, size_t step);
int toscac_plan_step_kind(const toscac_plan *plan, size_t step);
/** How many steps the longest chain before it has. */
uint32_t toscac_plan_step_stage(const toscac_plan *plan, size_t step);
/** Null where it belongs to none. */
const char *toscac_plan_step_entity(const toscac_plan *plan, size_t step);
const char *toscac_plan_step_interface(const toscac_plan *plan, size_t step);
const char *toscac_plan_step_operation(const toscac_plan *plan, size_t step);
/** The step whose failure starts it, or TOSCAC_NONE. */
uint32_t toscac_plan_step_after_failure(const toscac_plan *plan, size_t step);
/** The steps that it waits for; their number goes to `count`. */
const uint32_t *toscac_plan_step_deps(const toscac_plan *plan, size_t step,
                                      size_t *count);

#ifdef __cplusplus
}
#endif

#endif
