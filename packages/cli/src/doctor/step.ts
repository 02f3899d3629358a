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
  readonly cure?: string | undefined
}

export function good(title: string, seen: string): Step {
  return { title, state: 'good', seen }
}

export function warning(title: string, seen: string, cure: string): Step {
  return { title, state: 'warning', seen, cure }
}

export function bad(
  title: string,
  seen: string,
  cure: string,
  stderr: readonly string[] = [],
): Step {
  return { title, state: 'bad', seen, ...(stderr.length > 0 && { stderr }), cure }
}

export function passedOver(title: string, why: string): Step {
  return { title, state: 'skipped', seen: why }
}
