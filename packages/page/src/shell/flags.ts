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

/** A switch that this browser remembers. */
export function readFlag(name: string, otherwise: boolean): boolean {
  try {
    const stored = localStorage.getItem(`parley-${name}`)
    return stored === null ? otherwise : stored === 'true'
  } catch {
    return otherwise
  }
}

/** Remembers a switch on this machine. */
export function keepFlag(name: string, value: boolean): void {
  try {
    localStorage.setItem(`parley-${name}`, String(value))
  } catch {
    // Without storage it holds until the page is closed.
  }
}
