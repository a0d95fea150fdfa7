# `ninja format-check' and `ninja tidy': style, as utils/lint checks it.

add_custom_target(format-check
  COMMAND "${PROJECT_SOURCE_DIR}/utils/lint" format
  USES_TERMINAL)
add_custom_target(tidy
  COMMAND "${PROJECT_SOURCE_DIR}/utils/lint" tidy "${PROJECT_BINARY_DIR}"
  USES_TERMINAL)
