/** One thing that was looked at on the way to a server. */
export interface Step {
  /** What was looked at. */
  readonly title: string
  readonly state: 'good' | 'warning' | 'bad' | 'skipped'
  /** What was seen. */
  readonly seen: string
  /** What the server wrote to standard error meanwhile, line by line. */
  readonly stderr?: readonly string[] | undefined
  /** What to change; for warnings and faults. */
  readonly fix?: string | undefined
}

export function good(title: string, seen: string): Step {
  return { title, state: 'good', seen }
}

export function warning(title: string, seen: string, fix: string): Step {
  return { title, state: 'warning', seen, fix }
}

export function bad(
  title: string,
  seen: string,
  fix: string,
  stderr: readonly string[] = [],
): Step {
  return { title, state: 'bad', seen, ...(stderr.length > 0 && { stderr }), fix }
}

export function passedOver(title: string, why: string): Step {
  return { title, state: 'skipped', seen: why }
}
