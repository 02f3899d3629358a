import { create } from 'zustand'

/** What the live region says; the number makes the same words heard twice. */
export const useAnnouncement = create<{ readonly text: string; readonly count: number }>(() => ({
  text: '',
  count: 0,
}))

/** Tells screen readers what happened without moving the focus. */
export function announce(text: string): void {
  useAnnouncement.setState(({ count }) => ({ text, count: count + 1 }))
}
