/** What can be completed of one command. */
export interface CompletedCommand {
  readonly name: string
  readonly summary: string
  readonly flags: readonly string[]
  /** Words that follow it: its own commands. */
  readonly words: readonly string[]
}

/** A script for a shell. Files are completed where nothing else is. */
export function completionScript(
  shell: 'bash' | 'zsh' | 'fish',
  commands: readonly CompletedCommand[],
): string {
  switch (shell) {
    case 'bash':
      return bash(commands)
    case 'zsh':
      return zsh(commands)
    case 'fish':
      return fish(commands)
  }
}

function bash(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(
    ({ name, flags, words }) => `    ${name}) words="${[...words, ...flags].join(' ')}" ;;`,
  )
  return `# completions of parley for bash
_parley() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  # By spaces, because bash parts words at colons and equal signs too.
  local -a line; read -ra line <<< "\${COMP_LINE:0:COMP_POINT}"
  case "\${COMP_LINE:0:COMP_POINT}" in *' ') line+=('') ;; esac
  local typed="\${line[\${#line[@]}-1]}" more
  case "$typed" in -*) ;; *) more="$("\${line[0]}" completion words -- "\${line[@]:1}" 2>/dev/null)" ;; esac
  COMPREPLY=($(compgen -W "$words $more" -- "$typed"))
  [ "\${#COMPREPLY[@]}" -eq 0 ] && COMPREPLY=($(compgen -f -- "$current"))
  # What stands before the last colon is there already.
  case "$typed" in *:*) COMPREPLY=("\${COMPREPLY[@]#"\${typed%"\${typed##*:}"}"}") ;; esac
}
complete -o filenames -F _parley parley
`
}

function zsh(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name, summary }) => `    '${name}:${quoted(summary)}'`)
  const cases = commands.map(
    ({ name, flags, words }) => `    ${name}) compadd -- ${[...words, ...flags].join(' ')} ;;`,
  )
  return `#compdef parley
# completions of parley for zsh
_parley() {
  local -a commands
  commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local -a found
  found=(\${(f)"$("$words[1]" completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  (( $#found )) && compadd -a found
  case "$words[2]" in
${cases.join('\n')}
  esac
  _files
}
_parley "$@"
`
}

function fish(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, summary, flags, words }) => [
    `complete -c parley -n __fish_use_subcommand -a ${name} -d '${quoted(summary)}'`,
    ...words.map(
      (word) => `complete -c parley -n '__fish_seen_subcommand_from ${name}' -a ${word}`,
    ),
    ...flags.map(
      (flag) => `complete -c parley -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}`,
    ),
  ])
  const completions =
    "complete -c parley -n 'not __fish_use_subcommand' -a '(parley completion words -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'"
  return `# completions of parley for fish\n${[...lines, completions].join('\n')}\n`
}

function quoted(text: string): string {
  return text.replaceAll("'", '’').replaceAll(':', ' -')
}
