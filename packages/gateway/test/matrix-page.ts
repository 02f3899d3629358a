import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const page = fileURLToPath(new URL('../../../docs/internals/gateway-matrix.md', import.meta.url))

/** The parts that tests write. */
export type Section = 'transports' | 'peers' | 'gateway-transports'

/** Puts what a test found into its part of docs/internals/gateway-matrix.md. */
export function writeSection(name: Section, text: string): void {
  const [start, end] = [`<!-- ${name}: written by a test -->`, `<!-- end of ${name} -->`]
  const said = readFileSync(page, 'utf8')
  const [from, to] = [said.indexOf(start), said.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`the page has no place for ${name}`)
  const found = `${said.slice(0, from)}${start}\n\n${text}\n\n${said.slice(to)}`
  if (found !== said) writeFileSync(page, found)
}
