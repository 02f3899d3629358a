/** The variables of an `.env` file: `NAME=value`, quotes, comments, `export`. Nothing in it is run or looked up. */
export function parseEnvFile(text: string): { readonly [name: string]: string } {
  const pairs: [string, string][] = []
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const [, name, rest = ''] = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*(.*)$/.exec(line) ?? []
    if (name !== undefined) pairs.push([name, unquoted(rest.trim())])
  }
  return Object.fromEntries(pairs)
}

function unquoted(text: string): string {
  const [, single] = /^'([^']*)'/.exec(text) ?? []
  if (single !== undefined) return single
  const [, double] = /^"((?:[^"\\]|\\.)*)"/.exec(text) ?? []
  if (double !== undefined)
    return double.replaceAll(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter)
  return text.replace(/\s+#.*$/, '')
}

const escapes: { readonly [letter: string]: string } = { n: '\n', r: '\r', t: '\t' }
