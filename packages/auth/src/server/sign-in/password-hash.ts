import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** 64 MiB and about a tenth of a second for each guess. */
const cost = { log2N: 16, r: 8, p: 1 } as const
const keyBytes = 32

/** `scrypt$log2N$r$p$salt$key`, so that the cost can grow without asking people for a new password. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, cost)
  return ['scrypt', cost.log2N, cost.r, cost.p, text(salt), text(key)].join('$')
}

/** False for a wrong password and for a hash that cannot be read. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [, log2N, r, p, salt, key] =
    /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/.exec(hash) ?? []
  if (log2N === undefined || salt === undefined || key === undefined) return false
  const expected = Buffer.from(key, 'base64url')
  const settings = { log2N: Math.min(Number(log2N), 20), r: Number(r), p: Number(p) }
  const actual = await derive(password, Buffer.from(salt, 'base64url'), settings)
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

/** The hash of a random password; comparing with it takes as long as with a real one. */
export const nobodysHash = [
  'scrypt',
  cost.log2N,
  cost.r,
  cost.p,
  text(Buffer.alloc(16)),
  text(Buffer.alloc(32)),
].join('$')

interface Cost {
  readonly log2N: number
  readonly r: number
  readonly p: number
}

/** One at a time: guesses from many places at once must not take all memory. */
let queue: Promise<unknown> = Promise.resolve()

function derive(password: string, salt: Buffer, { log2N, r, p }: Cost): Promise<Buffer> {
  const options = { N: 2 ** log2N, r, p, maxmem: 256 * 2 ** log2N * r }
  const derived = queue.then(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        // Normalized: keyboards write the same letter in different ways.
        scrypt(password.normalize('NFKC'), salt, keyBytes, options, (error, key) => {
          if (error) reject(error)
          else resolve(key)
        })
      }),
  )
  queue = derived.catch(() => undefined) // who asked hears of it; the next guess does not
  return derived
}

function text(bytes: Buffer): string {
  return bytes.toString('base64url')
}
