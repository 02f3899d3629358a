import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { rolldown, type OutputChunk } from 'rolldown'

const packageFolder = new URL('../../', import.meta.url)

interface Manifest {
  readonly imports: { readonly [name: string]: { readonly default: string } | undefined }
}

/** The client as a bundler makes it for a web page; `client.js` is its entry. */
export async function bundleClient(): Promise<readonly OutputChunk[]> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('src/entry/client.ts', packageFolder)),
    platform: 'browser',
    plugins: [{ name: 'package-imports', resolveId: findSource }],
    onLog(_, { message }) {
      throw new Error(message) // an import that was not found is only a warning elsewhere
    },
  })
  const { output } = await bundle.generate({ format: 'es' })
  await bundle.close()
  return output.filter((file) => file.type === 'chunk')
}

/** What the manifest gives to runtimes that are not Node, in its sources: nothing has to be built first. */
function findSource(name: string): string | undefined {
  const built = manifest.imports[name]?.default
  if (built === undefined) return undefined
  const source = built.replace('./dist/', './src/').replace(/\.js$/, '.ts')
  return fileURLToPath(new URL(source, packageFolder))
}

// Our own file, which has these fields.
const manifest = JSON.parse(
  readFileSync(new URL('package.json', packageFolder), 'utf8'),
) as Manifest
