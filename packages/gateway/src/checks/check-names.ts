/** The members of a configuration that `readChecks` reads. */
export const checkNames = [
  'pinning',
  'policy',
  'limits',
  'patterns',
  'interceptors',
  'audit',
] as const
