/** What is worth a second look in one word of a command line, and why. */
const dangers: readonly (readonly [RegExp, string])[] = [
  [/(^|[/\\])(sudo|su|doas|pkexec|runas)(\.exe)?$/i, 'runs with more permissions than yours'],
  [/(^|[/\\])(rm|rmdir|del|dd|mkfs(\.\w+)?|shred)(\.exe)?$/i, 'destroys data'],
  [/(^|[/\\])(sh|bash|zsh|fish|cmd|powershell|pwsh)(\.exe)?$/i, 'runs whatever text it is given'],
  [/\b(curl|wget|iwr|Invoke-WebRequest)\b/i, 'fetches something from the network'],
  [/[|;`]|&&|\$\(|>\s*\//, 'looks like several commands in one'],
  [/(^|[=/\\])\.(ssh|aws|gnupg|kube|docker|netrc)\b/i, 'holds keys and passwords'],
  [/^(--[\w-]+=)?(\/|\/(etc|root|boot|dev|proc|sys|var)(\/.*)?|~)$/, 'is a sensitive location'],
  [/^--(privileged|cap-add|pid=host|net(work)?=host|no-sandbox|allow-all)/, 'disables protection'],
]

/** Undefined for a word that looks harmless. It sees slips and coarse tricks, and knows no program. */
export function dangerOf(word: string): string | undefined {
  return dangers.find(([pattern]) => pattern.test(word))?.[1]
}
