import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { run, type RunOptions } from './run.ts'

/** Stands for whatever is there: within a line for any text, as a line of its own for any lines. */
const anything = '…'

/**
 * Runs a page of command lines as tests, one for each heading. A block of code begins with `$ parley …`; what follows is
 * standard output, then standard error, then `exit 3` where it is not 0. `NAME` in a line stands for a given word.
 */
export function transcript(
  file: URL,
  words: () => { readonly [name: string]: readonly string[] | string },
  options: () => RunOptions = () => ({}),
): void {
  const page = readFileSync(fileURLToPath(file), 'utf8')
  for (const section of page.split(/^## /m).slice(1)) {
    const [title = '', ...body] = section.split('\n')
    const blocks = [...body.join('\n').matchAll(/^```console\n(.*?)^```$/gms)]
    test(title, async () => {
      expect(blocks.length).toBeGreaterThan(0)
      for (const [, block = ''] of blocks) {
        for (const step of block.split(/^\$ /m).slice(1)) await play(step, words(), options())
      }
    })
  }
}

async function play(
  step: string,
  words: { readonly [name: string]: readonly string[] | string },
  options: RunOptions,
): Promise<void> {
  const [line = '', ...expected] = step.trimEnd().split('\n')
  const argv = splitLine(line).flatMap((word) => words[word] ?? [word])
  expect(argv.shift(), line).toBe('parley')
  const { code, stdout, stderr } = await run(argv, options)
  const written = [stdout, stderr].map((text) => text.replace(/\n$/, '')).filter(Boolean)
  const seen = [...written, ...(code === 0 ? [] : [`exit ${code}`])].join('\n')
  const wanted = new RegExp(`^${expected.map(asPattern).join('')}$`, 's')
  if (!wanted.test(`${seen}\n`)) expect(seen, `$ ${line}`).toBe(expected.join('\n'))
}

function asPattern(line: string): string {
  if (line === anything) return '(?:[^\\n]*\\n)*?'
  return `${line.split(anything).map(escaped).join('[^\\n]*?')}\\n`
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

/** Words as a shell would read them: quotes of both kinds, and nothing else. */
function splitLine(line: string): readonly string[] {
  return [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, one?: string, two?: string) => one ?? two ?? ''),
  )
}
