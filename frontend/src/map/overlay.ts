// An SVG that lies over the map. While fingers or the wheel zoom, its picture is stretched; only when they rest is it drawn
// anew: drawing every tree sixty times a second is more than a tablet can do.

import L from "leaflet";

/** What Leaflet has inside an overlay and does not declare. */
interface Inner {
  _map: L.Map & { _latLngBoundsToNewLayerBounds(bounds: L.LatLngBounds, zoom: number, centre: L.LatLng): L.Bounds };
  _reset(): void;
}

/** Milliseconds without zooming after which it is drawn. */
export const REST = 140;

export function overlayOf(svg: SVGElement, bounds: L.LatLngBounds, onDrawn?: () => void): L.SVGOverlay {
  const overlay = L.svgOverlay(svg, bounds);
  const inner = overlay as unknown as Inner;
  let drawn = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const draw = (): void => {
    clearTimeout(timer);
    if (!inner._map) return;
    drawn = inner._map.getZoom();
    svg.style.willChange = "";
    inner._reset();
    onDrawn?.();
  };
  const drawAtRest = (): void => {
    clearTimeout(timer);
    timer = setTimeout(draw, REST);
  };
  const stretch = (to: L.Point, zoom: number): void => {
    svg.style.willChange = "transform";
    L.DomUtil.setTransform(svg as unknown as HTMLElement, to, inner._map.getZoomScale(zoom, drawn));
  };

  overlay.getEvents = () => ({
    zoomstart: () => clearTimeout(timer),
    zoom: () => stretch(inner._map.latLngToLayerPoint(bounds.getNorthWest()), inner._map.getZoom()),
    zoomanim: (event: L.LeafletEvent) => {
      const { center, zoom } = event as L.ZoomAnimEvent;
      stretch(inner._map._latLngBoundsToNewLayerBounds(bounds, zoom, center).min!, zoom);
    },
    zoomend: drawAtRest,
    viewreset: draw,
  });
  // The map may have had its first view before.
  overlay.on("add", () => {
    drawn = inner._map.getZoom();
    onDrawn?.();
  });
  overlay.on("remove", () => clearTimeout(timer));
  return overlay;
}
