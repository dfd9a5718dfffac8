/* The least that running a graph of processes costs:
 *     spawn-dag EDGES JOBS PROGRAM
 * EDGES has the number of steps and then, for each, how many predecessors it
 * has and their numbers. Each step runs PROGRAM when its predecessors have
 * ended, up to JOBS at once. No output is captured and nothing is recorded. */

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

extern char **environ;

struct edge {
  int to;
  int next;
};

int main(int argc, char **argv) {
  if (argc != 4)
    return 64;
  FILE *file = fopen(argv[1], "r");
  int steps, jobs = atoi(argv[2]);
  if (!file || fscanf(file, "%d", &steps) != 1)
    return 3;
  int *waits = calloc(steps, sizeof(int)), *ready = calloc(steps, sizeof(int));
  int *first = malloc(steps * sizeof(int));
  struct edge *edges = NULL;
  int count = 0, capacity = 0;
  for (int step = 0; step < steps; ++step)
    first[step] = -1;
  for (int step = 0; step < steps; ++step) {
    if (fscanf(file, "%d", &waits[step]) != 1)
      return 3;
    for (int i = 0, from; i < waits[step]; ++i) {
      if (fscanf(file, "%d", &from) != 1)
        return 3;
      if (count == capacity) {
        capacity = capacity ? capacity * 2 : 1024;
        edges = realloc(edges, capacity * sizeof(struct edge));
      }
      edges[count] = (struct edge){step, first[from]};
      first[from] = count++;
    }
  }
  int head = 0, tail = 0, running = 0;
  for (int step = 0; step < steps; ++step)
    if (waits[step] == 0)
      ready[tail++] = step;
  /* Processes and their steps; there are few at a time. */
  pid_t *processes = calloc(jobs, sizeof(pid_t));
  int *owner = calloc(jobs, sizeof(int));
  char *arguments[] = {argv[3], NULL};
  while (head < tail || running > 0) {
    while (running < jobs && head < tail) {
      owner[running] = ready[head++];
      if (posix_spawn(&processes[running], argv[3], NULL, NULL, arguments,
                      environ) != 0)
        return 1;
      ++running;
    }
    pid_t ended = wait(NULL);
    int slot = 0;
    while (processes[slot] != ended)
      ++slot;
    int step = owner[slot];
    processes[slot] = processes[--running];
    owner[slot] = owner[running];
    for (int edge = first[step]; edge >= 0; edge = edges[edge].next)
      if (--waits[edges[edge].to] == 0)
        ready[tail++] = edges[edge].to;
  }
  return tail == steps ? 0 : 1;
}
