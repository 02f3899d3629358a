import { createHash } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress, gzip } from 'node:zlib'

/** A file as it is answered. */
export interface StaticFile {
  /** Its bytes, compressed if `headers` say so. */
  readonly body: Buffer
  /** Type, caching and encoding. */
  readonly headers: { readonly [name: string]: string }
  /** Changes with the content. */
  readonly etag: string
}

/** The files of one folder, read once and kept. */
export interface StaticFiles {
  /** By the path of a request, still encoded; undefined for what is not there or not a plain path. */
  find(path: string, accepted: string): Promise<StaticFile | undefined>
}

/** Answers with files of a folder; links that lead out of it, hidden files and paths with tricks are not there. */
export function createStaticFiles(folder: string): StaticFiles {
  const cachedFiles = new Map<string, StaticFile>()
  let storedBytes = 0

  return {
    async find(path, accepted) {
      const name = plainPath(path)
      if (name === undefined) return undefined
      const root = await realpath(folder).catch(() => undefined)
      if (root === undefined) return undefined
      const found = await findFile(join(root, name))
      if (found === undefined || !found.location.startsWith(root + sep)) return undefined
      const { file, location } = found
      const about = await stat(location)
      if (!about.isFile()) return undefined
      const encodings = encodingsFor(file, accepted)
      const key = `${encodings.join(' ')} ${about.mtimeMs} ${about.size} ${file}`
      const existing = cachedFiles.get(key)
      if (existing !== undefined) return existing
      const read = await readStatic(found, name, encodings)
      if (storedBytes + read.body.length <= maxKeptBytes) {
        storedBytes += read.body.length
        cachedFiles.set(key, read)
      }
      return read
    },
  }
}

/** A file and where it is: in its own place, or only in compressed form. */
interface FoundFile {
  readonly file: string
  readonly location: string
}

async function findFile(path: string): Promise<FoundFile | undefined> {
  const file = await realpath(path).catch(() => undefined)
  if (file !== undefined) return { file, location: file }
  const compressed = await realpath(`${path}.br`).catch(() => undefined)
  return compressed === undefined
    ? undefined
    : { file: compressed.slice(0, -'.br'.length), location: compressed }
}

const maxKeptBytes = 32 * 1024 * 1024
const compress = promisify(gzip)
const unpack = promisify(brotliDecompress)

/** Decoded once, and then nothing but names: no way up, no other separator, no hidden file, no second encoding. */
function plainPath(path: string): string | undefined {
  let decoded: string
  try {
    decoded = decodeURIComponent(path)
  } catch {
    return undefined
  }
  if (!/^\/(?:[\w@+ -][\w@+ .-]*\/)*(?:[\w@+ -][\w@+ .-]*)?$/.test(decoded)) return undefined
  return decoded.endsWith('/') ? `${decoded}index.html` : decoded
}

const types: { readonly [extension: string]: string } = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

type Encoding = 'br' | 'gzip'

/** Returns the encodings that the caller accepts and we support, best first; none for compressed formats. */
function encodingsFor(file: string, accepted: string): readonly Encoding[] {
  const type = types[extname(file)]
  if (type === undefined || /^(?:image\/(?!svg)|font\/)/.test(type)) return []
  const offers = accepted
    .toLowerCase()
    .split(',')
    .map((offer) => offer.trim())
    .filter((offer) => !/;\s*q=0(?:\.0*)?$/.test(offer))
    .map((offer) => offer.split(';')[0])
  return (['br', 'gzip'] as const).filter((encoding) => offers.includes(encoding))
}

/** With what the build compressed already, where it did; else by gzip. */
async function readStatic(
  { file, location }: FoundFile,
  name: string,
  encodings: readonly Encoding[],
): Promise<StaticFile> {
  const content = await readFile(location)
  const isPacked = location !== file
  const { body, used } =
    isPacked && encodings.includes('br')
      ? { body: content, used: 'br' as const }
      : await encoded(file, isPacked ? await unpack(content) : content, encodings)
  const isHashed = /[.-][\w-]{8,}\.\w+$/.test(name) && name.startsWith('/assets/')
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  return {
    body,
    etag,
    headers: {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      vary: 'accept-encoding',
      etag,
      ...(used && { 'content-encoding': used }),
    },
  }
}

async function encoded(
  file: string,
  plain: Buffer,
  encodings: readonly Encoding[],
): Promise<{ readonly body: Buffer; readonly used?: Encoding }> {
  if (plain.length < 1024) return { body: plain }
  for (const used of encodings) {
    const ready = await readFile(`${file}.${used === 'br' ? 'br' : 'gz'}`).catch(() => undefined)
    if (ready !== undefined) return { body: ready, used }
  }
  if (!encodings.includes('gzip')) return { body: plain }
  return { body: await compress(plain, { level: 9 }), used: 'gzip' }
}
