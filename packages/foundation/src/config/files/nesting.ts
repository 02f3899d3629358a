import { createScanner } from 'jsonc-parser'

import { loadYaml } from './load-yaml.ts'

/** More than any configuration needs, and far less than the stack of a parser holds. */
export const maxLevels = 64

/** Said of a text that is nested deeper. */
export const tooDeep = `is nested deeper than ${maxLevels} levels`

/** Where JSON becomes nested too deeply, if it does. */
export function deepInJson(text: string): number | undefined {
  const scanner = createScanner(text, true)
  let depth = 0
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const offset = scanner.getTokenOffset()
    const sign = text[offset]
    if (sign === '{' || sign === '[') depth += 1
    if (sign === '}' || sign === ']') depth = Math.max(0, depth - 1)
    if (depth > maxLevels) return offset
  }
  return undefined
}

/** The same for YAML. Its parser keeps a stack of its own; only what comes after it goes down by calls. */
export function deepInYaml(text: string): number | undefined {
  const { Lexer, Parser } = loadYaml()
  const parser = new Parser()
  for (const lexeme of new Lexer().lex(text)) {
    Array.from(parser.next(lexeme)) // it goes on only as far as it is read
    if (parser.stack.length > maxLevels) return parser.offset
  }
  return undefined
}
