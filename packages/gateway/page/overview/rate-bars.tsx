import type { ReactElement } from 'react'

export interface RateBarsProps {
  /** In each second, oldest first. */
  readonly calls: readonly number[]
  readonly errors: readonly number[]
}

const height = 44
const step = 5

/** Calls of the last minute, second by second; those that failed stand at the foot of each bar. */
export function RateBars({ calls, errors }: RateBarsProps): ReactElement {
  const most = Math.max(1, ...calls)
  const total = calls.reduce((sum, each) => sum + each, 0)
  const failed = errors.reduce((sum, each) => sum + each, 0)
  return (
    <figure className="rate-bars">
      <svg
        viewBox={`0 0 ${calls.length * step} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Calls of the last minute: ${total}, of which ${failed} failed; at most ${most} in a second`}
      >
        {calls.map((count, index) => {
          const tall = (count / most) * height
          const bad = ((errors[index] ?? 0) / most) * height
          return (
            // Each second has its place.
            <g key={index}>
              <rect
                className="bar"
                x={index * step}
                y={height - tall}
                width={step - 1}
                height={tall}
              />
              <rect
                className="bar-bad"
                x={index * step}
                y={height - bad}
                width={step - 1}
                height={bad}
              />
            </g>
          )
        })}
      </svg>
      <figcaption className="quiet">
        {total} calls in the last minute, {failed} failed, at most {most} in a second
      </figcaption>
    </figure>
  )
}
