import { randomBytes } from 'node:crypto'

/**
 * Where a reader of a feed is. The era is a random name that a feed gets anew when the store has lost it. The mark is a random
 * name of the entry with that number: it shows if a store has lost only its newest entries, and gave their numbers to others.
 */
export interface FeedCursor {
  readonly generation: string
  readonly number: number
  /** Empty if it is not known. */
  readonly mark: string
}

export function encodeFeedCursor({ generation, number, mark }: FeedCursor): string {
  return `${generation}.${number}.${mark}`
}

/** A text that is not a cursor is one of an era that never was. */
export function decodeFeedCursor(text: string): FeedCursor {
  const [, generation, number, mark = ''] = /^([\w-]+)\.(\d{1,15})\.([\w-]*)$/.exec(text) ?? []
  if (generation === undefined) return { generation: 'unknown', number: 0, mark: '' }
  return { generation, number: Number(number), mark }
}

/** A name for an era or an entry. */
export function randomName(): string {
  return randomBytes(6).toString('base64url')
}
