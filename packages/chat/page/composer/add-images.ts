import type { DraftImage } from './draft.ts'

const most = 8
const maxBytes = 2_500_000
/** All pictures of a message together, in base64: one message of the channel holds 4 MiB. */
const maxCharacters = 3_600_000
const types = /^image\/(?:png|jpeg|gif|webp)$/

/** Adds the pictures among files that were pasted or dropped. Throws for one that cannot be sent, with the reason. */
export async function addImages(
  images: readonly DraftImage[],
  files: Iterable<File>,
): Promise<readonly DraftImage[]> {
  const pictures = [...files].filter(({ type }) => type.startsWith('image/'))
  const all = [...images, ...(await Promise.all(pictures.map(readImage)))]
  if (all.length > most) throw new Error(`${all.length} pictures: ${most} can be sent at once`)
  const characters = all.reduce((sum, { data }) => sum + data.length, 0)
  if (characters > maxCharacters)
    throw new Error('The pictures are too large together: send fewer at once')
  return all
}

async function readImage(file: File): Promise<DraftImage> {
  const { type, size, name } = file
  if (!types.test(type)) throw new Error(`${name || type} is not a PNG, JPEG, GIF or WebP image`)
  if (size > maxBytes) {
    throw new Error(`${name || 'The picture'} has ${size} bytes: at most ${maxBytes} can be sent`)
  }
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  }
  return { name: name || 'picture', mimeType: type, data: btoa(text) }
}
