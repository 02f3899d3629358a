import type { ReadOptions } from '@parley/server-kit/files'

/** How a file is read as text, and what the model can do where that does not work. */
export function asText(path: string, maxBytes: number): ReadOptions {
  return {
    path,
    maxBytes,
    ifLarge: 'Use head or tail to read a part of it.',
    ifBinary: 'Use read_media_file to get its bytes.',
  }
}
