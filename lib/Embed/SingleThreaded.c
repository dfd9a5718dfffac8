/*===- SingleThreaded.c - Whether this process has one thread -------------===*\
|*
|* The static libraries are compiled for programs, which reach data of the C
|* library directly; a shared library cannot. This is the only datum that they
|* use, by way of shared pointers: libtoscac has its own, and says that there
|* may be more threads than one.
|*
\*===----------------------------------------------------------------------===*/

char __libc_single_threaded = 0;
