# Makes one script of MODULES and writes it, and STYLE, as C++ strings to OUTPUT. A
# page has its script inside of itself, where modules cannot import each other: they
# are put one after the other, without their imports and the word `export`. So names
# at the top of modules must differ.

function(append_string name text)
  file(APPEND ${OUTPUT}
    "static constexpr llvm::StringLiteral ${name} = R\"viewer(${text})viewer\";\n")
endfunction()

file(WRITE ${OUTPUT} "// Made by EmbedViewer.cmake.\n")
set(script)
foreach(module IN LISTS MODULES)
  file(READ ${module} text)
  string(REGEX REPLACE "(^|\n)import [^\n]*" "\\1" text "${text}")
  string(REGEX REPLACE "(^|\n)export " "\\1" text "${text}")
  string(APPEND script "${text}")
endforeach()
append_string(viewerScript "${script}")
file(READ ${STYLE} style)
append_string(viewerStyle "${style}")
