import { useQueryClient } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useNavigate } from 'react-router'
import { Icon } from '../../ui/Icon.tsx'
import { useToast } from '../../ui/Toast.tsx'
import type { ActionDialog, Tools } from './tools.ts'
import css from './trigger.module.css'
import { gatherTyped } from './typed-ahead.ts'
import { shortcutHint, useShortcut } from './use-shortcut.ts'

type Loaded = ComponentType<{ tools: () => Tools; typed: string; onClose: () => void }>

const loadDialog = async (): Promise<Loaded> => (await import('./PaletteDialog.tsx')).PaletteDialog
const ActionDialogs = lazy(() => import('./ActionDialogs.tsx').then((module) => ({ default: module.ActionDialogs })))

/** The button that opens the palette, its shortcut, and what the palette leaves behind. Its code loads with the first use. */
export function Palette() {
  const toast = useToast()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [Dialog, setDialog] = useState<Loaded>()
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const [action, setAction] = useState<ActionDialog>()
  const left = useLeft()

  const open = async () => {
    setOpen(true)
    setTyped('')
    if (Dialog) return
    const endTyping = gatherTyped()
    try {
      const loaded = await loadDialog()
      // At once: no key falls between the last one gathered and the field.
      flushSync(() => {
        setDialog(() => loaded)
        setTyped(endTyping())
      })
    } catch {
      endTyping()
      setOpen(false)
      toast.error('The search could not be loaded. Check the connection and try again.')
    }
  }
  useShortcut(() => (isOpen ? setOpen(false) : void open()))

  const tools = (): Tools => ({
    ...{ toast, client, open: setAction, signal: left().signal },
    navigate: (path) => void navigate(path),
  })

  return (
    <>
      <button
        type="button"
        className={css['trigger']}
        aria-label="Search"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-keyshortcuts="Control+K Meta+K"
        title={`Search (${shortcutHint})`}
        onClick={() => void open()}
        onPointerEnter={() => void loadDialog().catch(() => {})}
      >
        <Icon name="search" />
        <span className={css['word']}>Search</span>
        <span className={css['hint']} data-keys={shortcutHint} />
      </button>
      {isOpen && Dialog ? <Dialog tools={tools} typed={typed} onClose={() => setOpen(false)} /> : null}
      {action ? (
        <Suspense>
          <ActionDialogs
            dialog={action}
            onNavigate={(path) => void navigate(path)}
            onClose={() => setAction(undefined)}
          />
        </Suspense>
      ) : null}
    </>
  )
}

/** Aborted once the console is left: what an action still does then is for nobody. */
function useLeft(): () => AbortController {
  const controller = useRef<AbortController>(undefined)
  useEffect(() => () => controller.current?.abort(), [])
  return () => {
    if (!controller.current || controller.current.signal.aborted) controller.current = new AbortController()
    return controller.current
  }
}
