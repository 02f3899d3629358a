/** A new project, file by file. */
export type Project = readonly (readonly [path: string, text: string])[]

/** What its commands do. */
export function readme(name: string, lines: readonly (readonly [string, string])[]): string {
  const rows = lines.map(([command, meaning]) => `| \`${command}\` | ${meaning} |`)
  return `# ${name}\n\n| command | |\n|---|---|\n${rows.join('\n')}\n`
}
