import { type ReactNode, useEffect, useRef } from 'react'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import css from './purchase-reset.module.css'

type Props = {
  tone: 'success' | 'warning' | 'error'
  text: string
  children?: ReactNode
  actions?: ReactNode
  onClose?: () => void
  /** Takes the focus, where what had it is gone. */
  focused?: boolean
}

/** What became of something, said at once and there until it is closed. */
export function Notice({ tone, text, children, actions, onClose, focused = false }: Props) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (focused) box.current?.focus()
  }, [focused])
  return (
    <div role="alert" ref={box} tabIndex={-1} className={css['notice']} data-tone={tone}>
      <div className={css['noticeWords']}>
        <p className={css['noticeText']}>{text}</p>
        {children}
      </div>
      <div className={css['noticeActions']}>
        {actions}
        {onClose ? (
          <IconButton small inherit label="Dismiss" onClick={onClose}>
            <Icon name="close" />
          </IconButton>
        ) : null}
      </div>
    </div>
  )
}
