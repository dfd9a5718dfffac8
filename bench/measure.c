/* CPU time and peak memory of a command:
 *     measure REPETITIONS COMMAND ARGUMENT...
 * Prints a line `microseconds kilobytes exit-code` per repetition.
 *
 * It is linked statically: the peak memory that the system reports for a
 * command counts what its parent had in memory when it started it. */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static long microseconds(struct timeval time) {
  return time.tv_sec * 1000000L + time.tv_usec;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fputs("usage: measure REPETITIONS COMMAND ARGUMENT...\n", stderr);
    return 64;
  }
  for (int i = atoi(argv[1]); i > 0; --i) {
    pid_t child = fork();
    if (child == 0) {
      int null = open("/dev/null", O_RDWR);
      dup2(null, 0);
      dup2(null, 1);
      dup2(null, 2);
      execvp(argv[2], argv + 2);
      _exit(127);
    }
    int status;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) < 0) {
      perror("measure");
      return 1;
    }
    printf("%ld %ld %d\n",
           microseconds(usage.ru_utime) + microseconds(usage.ru_stime),
           usage.ru_maxrss,
           WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  }
  return 0;
}
