import { CliError } from '../exit.ts'
import { isNode, nodesOf, placeOf, type SourceFile } from './syntax.ts'

/** Parses a module. Rejects at the first mistake in it, with its place. */
export async function parseSource(file: string, text: string): Promise<SourceFile> {
  const { parseSync } = await import('oxc-parser')
  const { program, comments, errors } = parseSync(file, text, { lang: 'ts' })
  const docs = comments
    .filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
    .map(({ start, end, value }) => ({ start, end, prose: proseOf(value) }))
  const source: SourceFile = {
    file,
    text,
    body: isNode(program) ? nodesOf(program['body']) : [],
    docBefore(start) {
      const near = docs.findLast(({ end }) => end <= start)
      if (near === undefined || text.slice(near.end, start).trim() !== '') return undefined
      return near.prose === '' ? undefined : near.prose
    },
  }
  const [error] = errors
  if (error === undefined) return source
  const place = placeOf(source, error.labels[0]?.start ?? 0)
  throw new CliError('error', `${place}: ${error.message}`)
}

/** Without stars, and up to the first tag. */
function proseOf(comment: string): string {
  const lines = comment
    .slice(1)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
  const tag = lines.findIndex((line) => line.trim().startsWith('@'))
  return (tag === -1 ? lines : lines.slice(0, tag)).join('\n').trim()
}
