/** Which processes are alive. */
export interface Leases {
  /** Says that a process is alive for the next `leaseMs`. `info` is for people who look at the cluster. */
  renew(node: string, leaseMs: number, info: string): Promise<void>
  /** Whether the lease of a process still runs. */
  isAlive(node: string): Promise<boolean>
  /** The process ends by itself, so that nobody has to wait for its lease to run out. */
  release(node: string): Promise<void>
  /** Every process that is alive, with its `info`, in the order of their names. */
  alive(): Promise<readonly LiveNode[]>
}

/** A process that is alive. */
export interface LiveNode {
  /** The name of the process. */
  readonly node: string
  /** What it says about itself, for people. */
  readonly info: string
}
