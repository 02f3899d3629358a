import { mkdir, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'

import type { ContentBlock } from '@parley/mcp'

import { CliError } from '../exit.ts'
import type { Io } from '../io.ts'

/** Something in a result that is no text. */
interface Media {
  readonly mimeType: string
  readonly data: string
}

/**
 * Writes the images, sounds and embedded files of a result. One goes into the file that was named; several beside each
 * other, with a number in their names, or into the folder that was named. Returns where they are.
 */
export async function saveMedia(
  content: readonly ContentBlock[],
  output: string,
  io: Pick<Io, 'cwd'>,
): Promise<readonly string[]> {
  const media = content.flatMap(mediaOf)
  if (media.length === 0) {
    throw new CliError('error', 'the result has no image, audio or embedded file to save', {
      hint: 'Leave -o out, or redirect the output to keep its text.',
    })
  }
  const target = resolve(io.cwd, output)
  const isFolder = /[\\/]$/.test(output) || (await isDirectory(target))
  const names = media.map(({ mimeType }, at) => {
    const ending = endings.get(mimeType.toLowerCase().split(';')[0]?.trim() ?? '') ?? '.bin'
    if (isFolder) return join(target, `${at + 1}${ending}`)
    if (media.length === 1) return target
    const own = extname(target)
    return join(dirname(target), `${basename(target, own)}-${at + 1}${own === '' ? ending : own}`)
  })
  await mkdir(isFolder ? target : dirname(target), { recursive: true })
  for (const [at, { data }] of media.entries()) {
    await write(names[at] ?? target, Buffer.from(data, 'base64'))
  }
  return names
}

async function write(file: string, bytes: Buffer): Promise<void> {
  await writeFile(file, bytes).catch((error: unknown) => {
    throw new CliError('error', `${file} cannot be written`, { cause: error })
  })
}

function mediaOf(block: ContentBlock): readonly Media[] {
  if (block.type === 'image' || block.type === 'audio') return [block]
  if (block.type !== 'resource' || !('blob' in block.resource)) return []
  const { blob, mimeType = '' } = block.resource
  return [{ data: blob, mimeType }]
}

/** Names are ours: a server says what something is, not what a file is called. */
const endings = new Map([
  ['image/png', '.png'],
  ['image/jpeg', '.jpg'],
  ['image/jpg', '.jpg'],
  ['image/gif', '.gif'],
  ['image/webp', '.webp'],
  ['image/svg+xml', '.svg'],
  ['audio/mpeg', '.mp3'],
  ['audio/mp3', '.mp3'],
  ['audio/wav', '.wav'],
  ['audio/x-wav', '.wav'],
  ['audio/ogg', '.ogg'],
  ['audio/webm', '.webm'],
  ['audio/flac', '.flac'],
  ['application/pdf', '.pdf'],
  ['application/zip', '.zip'],
  ['application/gzip', '.gz'],
])

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
