import { useEffect, useState } from 'react'
import { copyText } from '../lib/clipboard.ts'
import { Icon } from './Icon.tsx'
import { IconButton } from './IconButton.tsx'

type Props = { text: string; label: string }

export function CopyButton({ text, label }: Props) {
  const [copied, setCopied] = useState(false)

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])

  const handleCopy = async () => setCopied(await copyText(text))
  return (
    <IconButton small label={copied ? 'Copied' : label} onClick={handleCopy}>
      <Icon name={copied ? 'check' : 'copy'} size={16} />
    </IconButton>
  )
}
