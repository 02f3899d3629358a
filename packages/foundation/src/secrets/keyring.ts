import { randomBytes } from 'node:crypto'

/** The part of `@napi-rs/keyring` that is used. */
interface Keyring {
  readonly Entry: new (
    service: string,
    account: string,
  ) => { getPassword(): string | null; setPassword(password: string): void }
}

/**
 * The words that open our files, kept in the system's keychain; `undefined` where there is none that can be used. The
 * keychain holds no more than that: keychains limit what they keep, and none can be locked.
 */
export async function keyringPassphrase(
  load: () => Promise<unknown> = loadKeyring,
): Promise<string | undefined> {
  try {
    const { Entry } = (await load()) as Keyring // what is not one fails just below
    const entry = new Entry('parley', 'secret store')
    const there = read(entry)
    if (there !== undefined) return there
    entry.setPassword(randomBytes(32).toString('base64'))
    return read(entry)
  } catch {
    return undefined // not installed, or no service behind it
  }
}

function read(entry: { getPassword(): string | null }): string | undefined {
  try {
    return entry.getPassword() ?? undefined
  } catch {
    return undefined // some say by an error that there is none; writing tells the two apart
  }
}

function loadKeyring(): Promise<unknown> {
  const name = '@napi-rs/keyring' // optional: not to be resolved when this is compiled
  return import(name)
}
