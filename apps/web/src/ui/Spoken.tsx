import type { HTMLAttributes } from 'react'
import css from './Spoken.module.css'

type Props = HTMLAttributes<HTMLElement> & { as?: 'span' | 'p' | 'h2' }

/** Words for those who hear the screen. Whoever sees it is told another way. */
export function Spoken({ as: Element = 'span', ...rest }: Props) {
  return <Element {...rest} className={css['spoken']} />
}
