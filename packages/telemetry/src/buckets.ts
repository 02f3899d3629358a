/** In seconds, as the conventions advise. */
export const secondBuckets = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]

/** From 256 bytes to 16 MiB. */
export const byteBuckets = [
  2 ** 8,
  2 ** 10,
  2 ** 12,
  2 ** 14,
  2 ** 16,
  2 ** 18,
  2 ** 20,
  2 ** 22,
  2 ** 24,
]
