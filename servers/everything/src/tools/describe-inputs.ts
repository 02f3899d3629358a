/** What was filled in, line by line, of the fields that have a label. */
export function describeInputs(labels: Readonly<Record<string, string>>, content: object): string {
  const given = new Map<string, unknown>(Object.entries(content))
  const lines = Object.entries(labels)
    .filter(([field]) => given.has(field))
    .map(([field, label]) => `- ${label}: ${String(given.get(field))}`)
  return `User inputs:\n${lines.join('\n')}`
}
