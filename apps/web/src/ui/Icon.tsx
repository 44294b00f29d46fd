import { type IconName, icons } from './icons.ts'

type Props = { name: IconName; size?: number; className?: string | undefined }

/** A sign beside a word, or inside a button that has a name. */
export function Icon({ name, size = 20, className }: Props) {
  return (
    <svg
      className={className}
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="currentColor"
      aria-hidden="true"
      focusable="false"
    >
      <path d={icons[name]} />
    </svg>
  )
}
