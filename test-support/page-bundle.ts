import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { rolldown, type OutputChunk } from 'rolldown'

interface Manifest {
  readonly imports?: { readonly [name: string]: { readonly default?: string } | undefined }
}

/** A program as a bundler makes it for a web page, from our sources: nothing has to be built first. */
export async function bundleForPage(input: string): Promise<readonly OutputChunk[]> {
  const bundle = await rolldown({
    input,
    platform: 'browser',
    resolve: { conditionNames: ['@parley/source', 'browser', 'import', 'default'] },
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [{ name: 'package-imports', resolveId: findSource }],
    onLog(_, { message }) {
      throw new Error(message) // an import that was not found is only a warning elsewhere
    },
  })
  const { output } = await bundle.generate({ format: 'es' })
  await bundle.close()
  return output.filter((file) => file.type === 'chunk')
}

/** What a package gives to runtimes that are not Node, in its sources. */
function findSource(name: string, importer: string | undefined): string | undefined {
  if (!name.startsWith('#') || importer === undefined) return undefined
  const folder = packageOf(importer)
  // Files of packages, which have these fields.
  const { imports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const built = imports?.[name]?.default
  return built && join(folder, built.replace('./dist/', './src/').replace(/\.js$/, '.ts'))
}

function packageOf(file: string): string {
  const folder = dirname(file)
  return existsSync(join(folder, 'package.json')) ? folder : packageOf(folder)
}
