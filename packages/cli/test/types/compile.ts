import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
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
export async function compile(files: { readonly [name: string]: string }): Promise<string> {
  const folder = folderBelowRepository()
  const all = { ...files, 'package.json': '{"type":"module"}' }
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text)
  const project = { compilerOptions, files: Object.keys(files) }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
  return new Promise((resolve) => {
    const program = repositoryFile('node_modules/typescript/bin/tsc')
    execFile(execPath, [program, '-p', folder], (_error, stdout) => resolve(stdout))
  })
}
