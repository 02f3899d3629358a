/** A registry on this machine, for packages that are not published yet. */

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * A registry that has these tarballs, and sends clients elsewhere for the rest.
 *
 * @param {string} folder
 * @param {string} upstream
 */
export async function serveTarballs(folder, upstream) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.tgz'))
  /** @type {Map<string, { file: string, manifest: any }>} */
  const packages = new Map()
  for (const file of files) {
    const { stdout } = await run('tar', ['-xzOf', join(folder, file), 'package/package.json'])
    const manifest = JSON.parse(stdout)
    packages.set(manifest.name, { file, manifest })
  }
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/').slice(1)
    const found = packages.get(path)
    if (path.startsWith('-/')) return void response.end(readFileSync(join(folder, path.slice(2))))
    if (found === undefined) {
      response.writeHead(302, { location: new URL(path.replace('/', '%2f'), upstream).href }).end()
      return
    }
    const { file, manifest } = found
    const integrity = `sha512-${createHash('sha512')
      .update(readFileSync(join(folder, file)))
      .digest('base64')}`
    const dist = { tarball: `${registry}-/${file}`, integrity }
    const { version } = manifest
    const answer = {
      name: path,
      'dist-tags': { latest: version },
      versions: { [version]: { ...manifest, dist } },
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise((ready) => server.listen(0, '127.0.0.1', () => ready(undefined)))
  const address = server.address()
  const registry = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
  return { registry, close: () => void server.close() }
}
