import { create } from 'zustand'

/** Switches of the user that every page has. */
export interface Flags {
  /** Less room between lines. */
  readonly isCompact: boolean
  /** Single letters are keys outside of fields. */
  readonly hasLetterKeys: boolean
}

/** Change them with `setFlag`. */
export const useFlags = create<Flags>(() => ({
  isCompact: readFlag('compact', false),
  hasLetterKeys: readFlag('letter-keys', true),
}))

const storedAs: Readonly<Record<keyof Flags, string>> = {
  isCompact: 'compact',
  hasLetterKeys: 'letter-keys',
}

/** Sets a switch, and remembers it on this machine. */
export function setFlag(name: keyof Flags, value: boolean): void {
  useFlags.setState({ [name]: value })
  keepFlag(storedAs[name], value)
}

/** Returns a switch that this browser remembers. */
export function readFlag(name: string, otherwise: boolean): boolean {
  const stored = readText(name)
  return stored === undefined ? otherwise : stored === 'true'
}

/** Remembers a switch on this machine. */
export function keepFlag(name: string, value: boolean): void {
  keepText(name, String(value))
}

/** Returns a text that this browser remembers for this page. */
export function readText(name: string): string | undefined {
  try {
    return localStorage.getItem(`parley-${name}`) ?? undefined
  } catch {
    return undefined
  }
}

/** Remembers a text on this machine. */
export function keepText(name: string, value: string): void {
  try {
    localStorage.setItem(`parley-${name}`, value)
  } catch {
    // Without storage it holds until the page is closed.
  }
}
