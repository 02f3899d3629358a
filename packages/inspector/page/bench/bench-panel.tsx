export interface BenchPanelProps {
  /** The name of the server to put under load. */
  readonly server: string
}

/** Puts a load on one tool and shows how it held. */
export function BenchPanel({ server }: BenchPanelProps) {
  return <section aria-label={`Bench of ${server}`} />
}
