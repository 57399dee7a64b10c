/** The list `inside` of sensors and distance bands. It is filled only from the first read on: it may be long, and not every user reads it. */

import type { ZoneList } from './zone-list.ts';
import { IndexList } from '../../tree/storage/index-list.ts';

export class InsideList {
  private readonly list = new IndexList(0);
  /** What the first read copies. */
  private source: ZoneList | null = null;
  private isRead = false;

  read(): IndexList {
    this.isRead = true;
    this.source?.copyTo(this.list);
    this.source = null;
    return this.list;
  }

  /** Call it in every update with the bodies inside, or with null to empty the list. */
  update(zones: ZoneList | null): void {
    if (!this.isRead) this.source = zones;
    else if (zones === null) this.list.length = 0;
    else if (zones.changeCount > 0) zones.copyTo(this.list);
  }
}
