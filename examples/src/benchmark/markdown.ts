// The results as a table for a document or an issue.

import type { Row } from '../../../test/bench/result.ts';
import { duration, ratio } from './amounts.ts';
import { JUDGE, OURS, PEER, RIVALS } from './names.ts';

/** The line before the table tells what one has to know to read the numbers. */
export function toMarkdown(head: string, rows: readonly Row[]): string {
  const heads = ['scenario', ...RIVALS, `to ${JUDGE}`, `to ${PEER}`];
  const lines = rows.map(({ scenario, entries }) => {
    const times = RIVALS.map((name) => {
      const entry = entries[name];
      if (!entry) return '-';
      return entry.wrong > 0 ? `${duration(entry.value)} !${entry.wrong}/${entry.checked}` : duration(entry.value);
    });
    const ratios = [JUDGE, PEER].map((name) => (entries[name] && entries[OURS] ? ratio(entries[name].value / entries[OURS].value) : '-'));
    return [scenario, ...times, ...ratios];
  });
  const table = [heads, heads.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`);
  return `${head}\n\n${table.join('\n')}\n`;
}
