import { encode } from 'uqr'
import css from './profile.module.css'

/** Always dark on white: a scanner does not know of dark themes. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 3, ecc: 'M' })
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      className={css['qr']}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path fill="#ffffff" d={`M0 0h${size}v${size}h-${size}z`} />
      <path fill="#000000" d={path} />
    </svg>
  )
}
