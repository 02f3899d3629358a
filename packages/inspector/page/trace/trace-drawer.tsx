/** Everything that crossed the connections, in time. */
export function TraceDrawer() {
  return <section aria-label="Trace" />
}
