import { create } from 'zustand'

/** Whether the panel with context, activity and folders is shown. Closed until it is asked for. */
export const useContextOpen = create<{ readonly isOpen: boolean }>(() => ({ isOpen: false }))

/** Shows the panel, or puts it away. */
export function toggleContext(): void {
  useContextOpen.setState(({ isOpen }) => ({ isOpen: !isOpen }))
}
