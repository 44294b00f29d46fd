import Box from '@mui/material/Box'
import Divider from '@mui/material/Divider'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Typography from '@mui/material/Typography'
import { MuiRoot } from '../theme/MuiRoot.tsx'
import type { Action } from './action.ts'

type Props = { anchor: HTMLElement; label: string; actions: readonly Action[]; onClose: () => void }

export function ActionMenu({ anchor, label, actions, onClose }: Props) {
  return (
    <MuiRoot>
      {/* Within the landmark of its button, where a screen reader looks for it. */}
      <Menu
        open
        anchorEl={anchor}
        container={anchor.closest('main, header') ?? undefined}
        onClose={onClose}
        slotProps={{ list: { 'aria-label': label } }}
      >
        {actions.flatMap((action, index) => [
          action.divider && index > 0 ? <Divider key={`${action.label}-line`} component="li" /> : null,
          <Entry key={action.label} action={action} onClose={onClose} />,
        ])}
      </Menu>
    </MuiRoot>
  )
}

function Entry({ action, onClose }: { action: Action; onClose: () => void }) {
  const select = () => {
    if (action.disabledReason) return
    onClose()
    action.onSelect?.()
  }
  const link = action.href ? { component: 'a', href: action.href } : {}
  const choice = action.checked === undefined ? {} : { role: 'menuitemradio', 'aria-checked': action.checked }
  const newTab = action.external ? { target: '_blank', rel: 'noreferrer' } : {}
  return (
    <MenuItem
      {...link}
      {...newTab}
      {...choice}
      onClick={select}
      aria-disabled={action.disabledReason ? true : undefined}
      sx={{
        display: 'block',
        color: action.disabledReason ? 'text.disabled' : action.destructive ? 'error.main' : undefined,
      }}
    >
      {action.checked === undefined ? null : (
        <Box component="span" aria-hidden="true" sx={{ display: 'inline-block', width: 20 }}>
          {action.checked ? '✓' : ''}
        </Box>
      )}
      {action.label}
      {action.disabledReason ? (
        <Typography variant="caption" component="span" color="text.secondary" sx={{ display: 'block' }}>
          {action.disabledReason}
        </Typography>
      ) : null}
    </MenuItem>
  )
}
