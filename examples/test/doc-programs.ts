import { readFileSync } from 'node:fs'

/**
 * A TypeScript program of a page: one block, and the blocks marked `continued` that follow it.
 *
 * - `ts`: its types are checked
 * - `ts run`: and it is run; what `console.log` prints must be what the comments `// → …` say, in their order
 * - `ts continued`: goes on where the block before ended
 * - `ts fragment`: only its syntax is checked
 */
export interface DocProgram {
  /** Relative to the repository. */
  readonly page: string
  /** Of the fence that opens it. */
  readonly line: number
  readonly mode: 'check' | 'run' | 'fragment'
  /** On the lines it has in the page, so that what the compiler says leads there. */
  readonly code: string
  /** What it prints, line by line. */
  readonly expected: readonly string[]
}

export function readPrograms(root: string, page: string): readonly DocProgram[] {
  const programs: DocProgram[] = []
  for (const { info, line, code } of readBlocks(readFileSync(`${root}/${page}`, 'utf8'))) {
    const [language, mark, ...rest] = info.split(' ')
    if (language !== 'ts') continue
    if (rest.length > 0 || !isMark(mark)) throw new Error(`${page}:${line}: unknown mark: ${info}`)
    const last = programs.at(-1)
    if (mark === 'continued') {
      if (!last) throw new Error(`${page}:${line}: nothing to continue`)
      programs[programs.length - 1] = joined(last, line, code)
    } else {
      programs.push(
        joined({ page, line, mode: mark ?? 'check', code: '', expected: [] }, line, code),
      )
    }
  }
  return programs
}

function isMark(mark: string | undefined): mark is 'run' | 'continued' | 'fragment' | undefined {
  return mark === undefined || ['run', 'continued', 'fragment'].includes(mark)
}

function joined(program: DocProgram, line: number, code: string): DocProgram {
  const before = program.code.split('\n').length - 1
  const padded = `${program.code}${'\n'.repeat(line - before)}${code}\n`
  return { ...program, code: padded, expected: [...program.expected, ...readExpected(code)] }
}

function readExpected(code: string): readonly string[] {
  return [...code.matchAll(/\/\/ → (.*)$/gm)].map(([, expected = '']) => expected.trimEnd())
}

interface Block {
  readonly info: string
  readonly line: number
  readonly code: string
}

function* readBlocks(markdown: string): Generator<Block> {
  const lines = markdown.split('\n')
  for (let index = 0; index < lines.length; index += 1) {
    const info = /^```(.+)$/.exec(lines[index] ?? '')?.[1]
    if (info === undefined) continue
    const line = index + 1
    const body: string[] = []
    while (++index < lines.length && lines[index] !== '```') body.push(lines[index] ?? '')
    yield { info: info.trim(), line, code: body.join('\n') }
  }
}
