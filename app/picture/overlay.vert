VARYING vec4 tint;
void MAIN()
{
    tint = COLOR;
    vec4 place = MODELVIEWPROJECTION_MATRIX * vec4(VERTEX, 1.0);
    POSITION = onTop ? vec4(place.xy, 0.02 * place.w, place.w) : place;
}
