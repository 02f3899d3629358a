/** Which names of tools do not cause trouble: up to 128 letters, digits, `_`, `-` and `.`. */

const maxLength = 128
const isAllowed = /^[A-Za-z0-9_.-]$/

/** Says whether a name conforms, and what is risky about it. */
export function validateToolName(name: string): { isValid: boolean; warnings: string[] } {
  if (name.length === 0) return { isValid: false, warnings: ['Tool name cannot be empty'] }
  if (name.length > maxLength) {
    return {
      isValid: false,
      warnings: [
        `Tool name exceeds maximum length of ${maxLength} characters (current: ${name.length})`,
      ],
    }
  }
  const warnings: string[] = []
  if (name.includes(' ')) {
    warnings.push('Tool name contains spaces, which may cause parsing issues')
  }
  if (name.includes(',')) {
    warnings.push('Tool name contains commas, which may cause parsing issues')
  }
  for (const [mark, word] of [
    ['-', 'dash'],
    ['.', 'dot'],
  ] as const) {
    if (name.startsWith(mark) || name.endsWith(mark)) {
      warnings.push(
        `Tool name starts or ends with a ${word}, which may cause parsing issues in some contexts`,
      )
    }
  }
  const others = new Set(Array.from(name).filter((character) => !isAllowed.test(character)))
  if (others.size > 0) {
    warnings.push(
      `Tool name contains invalid characters: ${[...others].map((other) => `"${other}"`).join(', ')}`,
      'Allowed characters are: A-Z, a-z, 0-9, underscore (_), dash (-), and dot (.)',
    )
  }
  return { isValid: others.size === 0, warnings }
}

/** Writes the warnings to the console, which is standard error. */
export function issueToolNameWarning(name: string, warnings: string[]): void {
  if (warnings.length === 0) return
  console.warn(`Tool name validation warning for "${name}":`)
  for (const warning of warnings) console.warn(`  - ${warning}`)
  console.warn('Tool registration will proceed, but this may cause compatibility issues.')
  console.warn('Consider updating the tool name to conform to the MCP tool naming standard.')
  console.warn(
    'See SEP: Specify Format for Tool Names (https://github.com/modelcontextprotocol/modelcontextprotocol/issues/986) for more details.',
  )
}

/** Warns of a name, and says whether it conforms. */
export function validateAndWarnToolName(name: string): boolean {
  const { isValid, warnings } = validateToolName(name)
  issueToolNameWarning(name, warnings)
  return isValid
}
