import { create } from 'zustand'

/** Whether the trace is shown. */
export const useTraceOpen = create<{ readonly isOpen: boolean }>(() => ({ isOpen: false }))

/** Shows the trace, or puts it away. */
export function toggleTrace(): void {
  useTraceOpen.setState(({ isOpen }) => ({ isOpen: !isOpen }))
}

/** Shows the calls of a server in the trace. */
export async function showCalls(server: string): Promise<void> {
  useTraceOpen.setState({ isOpen: true })
  const { useTrace } = await import('@parley/page/trace')
  useTrace.setState({ filterText: `server:${server} method:tools/call` })
}
