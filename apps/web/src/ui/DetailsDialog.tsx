import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react'
import { phone, useMedia } from '../lib/use-media.ts'
import css from './DetailsDialog.module.css'
import { Dialog } from './Dialog.tsx'
import { Icon } from './Icon.tsx'
import { IconButton } from './IconButton.tsx'
import { SectionBoundary } from './SectionBoundary.tsx'

export type DetailsTab = { id: string; label: string; content: ReactNode }

type Props = {
  title: string
  /** Chips beside the title. */
  marks?: ReactNode
  subtitle?: ReactNode
  tabs?: readonly DetailsTab[]
  tab?: string
  onTab?: (id: string) => void
  /** Instead of tabs. */
  children?: ReactNode
  actions?: ReactNode
  onClose: () => void
}

/** In the middle of the screen its head and tabs would move away under the pointer whenever what is below them loads. */
const fromTheTop = { '& .MuiDialog-container': { alignItems: 'flex-start' } }

export function DetailsDialog({ title, marks, subtitle, tabs, tab, onTab, children, actions, onClose }: Props) {
  const id = useId()
  const fullScreen = useMedia(phone)
  const current = tabs?.find((each) => each.id === tab) ?? tabs?.[0]
  return (
    <Dialog open onClose={onClose} maxWidth="md" fullWidth fullScreen={fullScreen} sx={fromTheTop} aria-labelledby={id}>
      <header className={css['head']}>
        <div className={css['words']}>
          <h2 id={id} className={css['title']}>
            {title}
            {marks}
          </h2>
          {subtitle ? <p className={css['subtitle']}>{subtitle}</p> : null}
        </div>
        <IconButton label="Close" onClick={onClose}>
          <Icon name="close" size={24} />
        </IconButton>
      </header>
      {tabs && current ? (
        <Tabs
          className={css['tabs']}
          value={current.id}
          onChange={(_, next: string) => onTab?.(next)}
          variant="scrollable"
          scrollButtons={false}
          aria-label={title}
        >
          {tabs.map((each) => (
            <ShownTab
              key={each.id}
              value={each.id}
              label={each.label}
              id={`${id}-${each.id}`}
              aria-controls={`${id}-panel`}
            />
          ))}
        </Tabs>
      ) : null}
      <DialogContent sx={{ p: 0 }}>
        <div
          className={css['body']}
          {...(current
            ? { role: 'tabpanel', id: `${id}-panel`, 'aria-labelledby': `${id}-${current.id}`, tabIndex: 0 }
            : {})}
        >
          <SectionBoundary resetKey={current?.id ?? ''}>{current ? current.content : children}</SectionBoundary>
        </div>
      </DialogContent>
      {actions ? <DialogActions>{actions}</DialogActions> : null}
    </Dialog>
  )
}

type TabProps = ComponentProps<typeof Tab> & {
  /** Set by the row of tabs. */
  selected?: boolean
}

/** On phones the row is longer than the screen: the tab that is open must be in sight, also when a link opened it. */
function ShownTab({ selected = false, ...tab }: TabProps) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (selected) element.current?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
  }, [selected])
  return <Tab ref={element} {...tab} {...{ selected }} />
}
