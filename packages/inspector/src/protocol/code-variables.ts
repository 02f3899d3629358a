/** Variables that decide what code a program runs, and how. Shown in full: they are part of the command. */
const variables: readonly (readonly [RegExp, string])[] = [
  [/^(?:PATH|PATHEXT|COMSPEC|SHELL|npm_config_(?:registry|script_shell))$/i, 'decides what is run'],
  [/^(?:LD|DYLD)_/i, 'loads code into programs'],
  [/^(?:NODE_OPTIONS|NODE_PATH|npm_config_node_options)$/i, 'loads code into Node'],
  [/^PYTHON(?:PATH|STARTUP|HOME|BREAKPOINT|USERBASE)$/i, 'loads code into Python'],
  [/^(?:RUBY(?:OPT|LIB)|PERL5?(?:OPT|LIB|DB)|LUA_(?:INIT|PATH|CPATH)\w*|PHPRC)$/i, 'loads code'],
  [/^(?:_?JAVA_OPTIONS|(?:JAVA_TOOL|JDK_JAVA)_OPTIONS|CLASSPATH)$/i, 'loads code into Java'],
  [/^(?:DOTNET_STARTUP_HOOKS|COR(?:ECLR)?_PROFILER\w*)$/i, 'loads code into .NET'],
  [/^(?:BASH_ENV|ENV|PROMPT_COMMAND|SHELLOPTS|BASHOPTS)$/i, 'is run by shells'],
  [
    /^(?:GIT_(?:SSH|SSH_COMMAND|EXEC_PATH|EXTERNAL_DIFF|PAGER|EDITOR)|EDITOR|VISUAL|PAGER|BROWSER)$/i,
    'is started by others',
  ],
]

/** Why a variable of this name is worth a second look; undefined for one that is only data, as far as we know. */
export function codeOfVariable(name: string): string | undefined {
  return variables.find(([pattern]) => pattern.test(name))?.[1]
}
