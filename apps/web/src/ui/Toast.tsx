import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import { createPortal } from 'react-dom'
import { ToastContext, type ToastLink, type Toasts } from '../lib/toasts.ts'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'
import { IconButton } from './IconButton.tsx'
import css from './Toast.module.css'

type Tone = 'success' | 'info' | 'error'
type Message = {
  id: number
  tone: Tone
  text: string
  undo?: () => void
  link?: ToastLink
  detail?: string
  requestId?: string
}

const PlaceContext = createContext<(place: HTMLElement | null) => (() => void) | undefined>(() => undefined)
const leaveAfterMs = 6000

export function useToast(): Toasts {
  const toasts = useContext(ToastContext)
  if (!toasts) throw new Error('useToast needs a ToastProvider above it')
  return toasts
}

/** A modal keeps the focus within itself and hides the rest of the page, so the toasts move into the one on top. */
export function ToastPlace() {
  return <div ref={useContext(PlaceContext)} />
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<readonly Message[]>([])
  const [places, setPlaces] = useState<readonly HTMLElement[]>([])
  const toasts = useMemo<Toasts>(() => {
    let count = 0
    const add = (message: Omit<Message, 'id'>) => {
      count += 1
      const id = count
      // The same failure said twice is one toast.
      setMessages((all) =>
        [...all.filter((m) => m.text !== message.text || m.detail !== message.detail), { ...message, id }].slice(-4),
      )
    }
    return {
      success: (text, next) =>
        add({ tone: 'success', text, ...(typeof next === 'function' ? { undo: next } : { link: next }) }),
      info: (text) => add({ tone: 'info', text }),
      error: (text, cause) =>
        add({
          tone: 'error',
          text,
          detail: cause?.message === text ? undefined : cause?.message,
          requestId: cause?.requestId,
        }),
    }
  }, [])
  const close = useCallback((id: number) => setMessages((all) => all.filter((message) => message.id !== id)), [])
  const addPlace = useCallback((place: HTMLElement | null) => {
    if (!place) return undefined
    setPlaces((all) => [...all, place])
    return () => setPlaces((all) => all.filter((each) => each !== place))
  }, [])
  const regionOf = (role: 'alert' | 'status') => {
    const shown = messages.filter(({ tone }) => (tone === 'error') === (role === 'alert'))
    if (shown.length === 0 && places.length > 0) return null
    return (
      <div role={role}>
        {shown.map((message) => (
          <ToastCard key={message.id} message={message} onClose={close} />
        ))}
      </div>
    )
  }

  return (
    <ToastContext value={toasts}>
      <PlaceContext value={addPlace}>{children}</PlaceContext>
      {createPortal(
        <div className={css['region']}>
          {regionOf('alert')}
          {regionOf('status')}
        </div>,
        places.at(-1) ?? document.body,
      )}
    </ToastContext>
  )
}

function ToastCard({ message, onClose }: { message: Message; onClose: (id: number) => void }) {
  const { id, tone, text, undo, link, detail, requestId } = message
  const [held, setHeld] = useState(false)

  useEffect(() => {
    if (tone === 'error' || held) return
    const timer = setTimeout(() => onClose(id), leaveAfterMs)
    return () => clearTimeout(timer)
  }, [id, tone, held, onClose])

  return (
    // biome-ignore lint/a11y/useSemanticElements: a toast holds no form fields
    <div
      role="group"
      className={css['toast']}
      data-tone={tone}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div className={css['words']}>
        <p>{text}</p>
        {detail ? <p className={css['small']}>{detail}</p> : null}
        {requestId ? <p className={css['small']}>Request {requestId}</p> : null}
      </div>
      {undo ? (
        <Button
          size="small"
          onClick={() => {
            onClose(id)
            undo()
          }}
        >
          Undo
        </Button>
      ) : null}
      {link ? (
        <Button size="small" href={link.href}>
          {link.label}
        </Button>
      ) : null}
      <IconButton small label="Dismiss" onClick={() => onClose(id)}>
        <Icon name="close" />
      </IconButton>
    </div>
  )
}
