import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execPath } from 'node:process'

import { folderBelowRepository } from '../below-repository.ts'
import { repositoryFile } from '../run.ts'

const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  module: 'NodeNext',
  target: 'ES2022',
  lib: ['ES2023', 'ESNext.Disposable'],
  types: [],
  allowImportingTsExtensions: true,
  skipLibCheck: true,
}

/** What the compiler says about these modules; nothing if all is well. */
export async function compile(
  files: { readonly [name: string]: string },
  folder = folderBelowRepository(),
): Promise<string> {
  const all = { ...files, 'package.json': '{"type":"module"}' }
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const project = { compilerOptions, files: Object.keys(files) }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
  return new Promise((resolve) => {
    const program = repositoryFile('node_modules/typescript/bin/tsc')
    execFile(execPath, [program, '-p', folder], (_error, stdout) => resolve(stdout))
  })
}

/**
 * What the compiler says about each of these groups of modules, by name. They are compiled at once: the compiler takes longer to
 * start than for all of them.
 */
export async function compileGroups(
  groups: { readonly [group: string]: { readonly [file: string]: string } },
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const names = Object.keys(groups)
  const files = names.flatMap((name, at) =>
    Object.entries(groups[name] ?? {}).map(([file, text]) => [`${at}/${file}`, text] as const),
  )
  const said = await compile(Object.fromEntries(files), folder)
  const byGroup = new Map(names.map((name) => [name, '']))
  let group: string | undefined
  for (const line of said.split('\n').filter(Boolean)) {
    // A message may go on in lines that are indented.
    const begin = /(?:^|\/)(\d+)\/[^/(]+\(\d+,\d+\): /.exec(line)
    if (begin) group = names[Number(begin[1])]
    if (group === undefined) throw new Error(`said of no file: ${said}`)
    byGroup.set(group, `${byGroup.get(group)}${line}\n`)
  }
  return byGroup
}
