// Formats the results as a Markdown table.

import type { Row } from '../../../test/bench/result.ts';
import { duration, ratio } from '../shared/amounts.ts';
import { REFERENCE, OURS, PEER, RIVALS } from './names.ts';

/** @param head The line before the table: scene, date and machine. */
export function toMarkdown(head: string, rows: readonly Row[]): string {
  const heads = ['scenario', ...RIVALS, `to ${REFERENCE}`, `to ${PEER}`];
  const lines = rows.map(({ scenario, entries }) => {
    const times = RIVALS.map((name) => {
      const entry = entries[name];
      if (!entry) return '-';
      return entry.wrong > 0 ? `${duration(entry.value)} !${entry.wrong}/${entry.checked}` : duration(entry.value);
    });
    const ratios = [REFERENCE, PEER].map((name) =>
      entries[name] && entries[OURS] ? ratio(entries[name].value / entries[OURS].value) : '-',
    );
    return [scenario, ...times, ...ratios];
  });
  const table = [heads, heads.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`);
  return `${head}\n\n${table.join('\n')}\n`;
}
